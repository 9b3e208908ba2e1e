import csv,sys,re,collections
rows=[l for l in open(sys.argv[1]) if l.startswith('"')]
r=csv.DictReader(rows)
tot=collections.OrderedDict()
seq=[]
for d in r:
    k=d['Kernel Name']; t=float(d['Metric Value'].replace(',','')); 
    m=re.findall(r'(?:panta::)?(?:unified::|detail::|neighbors::)*([A-Z][A-Za-z]+)<',k)
    m2=re.search(r'detail::(\w+)',k)
    name=(m2.group(1) if m2 else k[:30])+':'+(m[0] if m else re.sub(r'\W+','_',k)[-60:])
    seq.append((name,t,d.get('Grid Size'),d.get('Block Size')))
    a=tot.setdefault(name,[0,0]); a[0]+=t;a[1]+=1
unit=d['Metric Unit']
for n,(t,c) in sorted(tot.items(),key=lambda x:-x[1][0]): print(f"{t:10.1f} {c:4d} {t/c:8.2f} {n}")
print('total',sum(x[1] for x in seq),unit,len(seq))
if len(sys.argv)>2:
    for s in seq: print(s)
